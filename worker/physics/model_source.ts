import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ModelError, type ModelSource } from './engine.ts';

/** A model that stands for itself: no includes, no meshes. */
export const modelFromString = (xml: string, name = 'model'): ModelSource => ({ name, xml, files: new Map() });

const attribute = (tag: string, name: string): string | undefined => new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1];
const tags = (xml: string, name: string): string[] =>
  [...xml.replace(/<!--[\s\S]*?-->/g, '').matchAll(new RegExp(`<${name}\\b[^>]*>`, 'g'))].map(([tag]) => tag);

/**
 * Reads an MJCF file with everything it names: includes, meshes, textures, height fields.
 * @throws ModelError naming the file that is missing and the one that asks for it.
 */
export function readModelSource(path: string): ModelSource {
  if (!existsSync(path)) throw new ModelError(`There is no model at ${path}.`);
  const folder = dirname(path);
  const files = new Map<string, Uint8Array>();
  const texts = new Map<string, string>();

  function readText(relative: string, asker: string): void {
    if (texts.has(relative)) return;
    const bytes = readFile(relative, asker);
    texts.set(relative, new TextDecoder().decode(bytes));
    if (asker !== '') files.set(relative, bytes);
    for (const tag of tags(texts.get(relative)!, 'include')) {
      const file = attribute(tag, 'file');
      if (file) readText(normalize(file), relative);
    }
  }
  function readFile(relative: string, asker: string): Uint8Array {
    const full = join(folder, relative);
    if (!existsSync(full))
      throw new ModelError(`${asker === '' ? path : join(folder, asker)} refers to ${relative}, but ${full} is missing.`);
    return readFileSync(full);
  }

  const main = normalize(path.slice(folder.length === 1 && folder !== '.' ? 1 : folder === '.' ? 0 : folder.length + 1));
  readText(main, '');
  const compilers = [...texts.values()].flatMap((text) => tags(text, 'compiler'));
  const setting = (name: string): string => compilers.map((tag) => attribute(tag, name)).findLast((value) => value !== undefined) ?? '';
  const assetFolder = setting('assetdir');
  const folders: Record<string, string> = {
    mesh: setting('meshdir') || assetFolder,
    texture: setting('texturedir') || assetFolder,
    hfield: assetFolder,
    skin: assetFolder,
  };
  for (const [asker, text] of texts) {
    for (const [kind, sub] of Object.entries(folders)) {
      for (const tag of tags(text, kind)) {
        for (const key of ['file', 'fileright', 'fileleft', 'fileup', 'filedown', 'filefront', 'fileback']) {
          const file = attribute(tag, key);
          if (file === undefined || file === '') continue;
          const relative = normalize(join(sub, file));
          if (!files.has(relative)) files.set(relative, readFile(relative, asker));
        }
      }
    }
  }
  return { name: path, xml: texts.get(main)!, files };
}
