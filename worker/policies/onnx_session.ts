import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as ort from 'onnxruntime-node';
import { type OnnxHeader, readOnnxHeader } from '../formats/onnx_reader.ts';
import { UserError } from '../user_error.ts';

// Its warnings (on standard error) are about graph rewriting; what goes wrong is thrown.
ort.env.logLevel = 'error';

export interface OnnxSession {
  readonly session: ort.InferenceSession;
  readonly header: OnnxHeader;
  /** The file itself, without external data. */
  readonly bytes: Uint8Array;
}

/**
 * Opens an .onnx file on the CPU.
 * @param threads of one run
 * @throws UserError in one sentence when it is missing, damaged, newer than the runtime, or lacks its external data.
 */
export async function openSession(path: string, threads: number): Promise<OnnxSession> {
  const bytes = readNetworkFile(path);
  const header = readOnnxHeader(bytes, path);
  const missing = header.externalFiles.find((file) => !existsSync(join(dirname(path), file)));
  if (missing !== undefined)
    throw new UserError(`${path} keeps its weights in ${missing}, which is not beside it; copy that file there too.`);
  const options: ort.InferenceSession.SessionOptions = { intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 3 };
  try {
    // From memory, so that a file replaced meanwhile cannot mix with this one; external data is found from a path alone.
    const session = await (header.externalFiles.length > 0
      ? ort.InferenceSession.create(path, options)
      : ort.InferenceSession.create(bytes, options));
    return { session, header, bytes };
  } catch (error) {
    throw refusal(path, header, error);
  }
}

function readNetworkFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new UserError(`There is no file ${path}; check the path.`, { cause: error });
    throw error;
  }
}

/** ONNX Runtime's own words end with its limits where a file is too new for it. */
function refusal(path: string, header: OnnxHeader, error: unknown): UserError {
  const text = error instanceof Error ? error.message : String(error);
  const opset = /till opset (\d+)/.exec(text)?.[1];
  if (opset !== undefined && header.opset > Number(opset)) {
    return new UserError(
      `${path} uses ONNX opset ${header.opset}, but this ONNX Runtime knows up to ${opset}; export it again with opset 17.`,
      { cause: error },
    );
  }
  const ir = /max supported IR version: (\d+)/.exec(text)?.[1];
  if (ir !== undefined && header.irVersion > Number(ir)) {
    return new UserError(
      `${path} has ONNX IR version ${header.irVersion}, but this ONNX Runtime knows up to ${ir}; export it again with IR version 8.`,
      {
        cause: error,
      },
    );
  }
  const words = text
    .replace(/^.*?failed:\s*/s, '')
    .split('\n')[0]!
    .trim();
  return new UserError(`${path} is refused by ONNX Runtime (${words}); export it again.`, { cause: error });
}
