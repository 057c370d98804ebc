import { readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, posix } from 'node:path';
import { ModelError, type ModelSource } from './engine.ts';
import { type XmlTag, xmlTags } from './xml_tags.ts';

/** A model that stands for itself: no includes, no meshes. */
export const modelFromString = (xml: string, name = 'model'): ModelSource => ({ name, xml, files: new Map() });

/**
 * Reads an MJCF file with everything that it names, and that those name: includes, meshes, textures, height fields, skins,
 * attached models. Paths follow MuJoCo: from the main file's folder (assets: from `meshdir` or `texturedir` in it), else
 * from the folder of the file that names them.
 * @throws ModelError naming the file that is missing and the one that asks for it.
 */
export function readModelSource(path: string): ModelSource {
  const disk = new ModelFolder(dirname(path));
  const main = basename(path);
  const text = disk.readText(main, [main], null);
  collect(disk, { path: main, text });
  disk.files.delete(main);
  return { name: path, xml: text, files: disk.files };
}

/** The files read so far, by path relative to the main file's folder. */
class ModelFolder {
  readonly files = new Map<string, Uint8Array>();
  /** Models whose files are read or being read. */
  readonly models = new Set<string>();
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Where a path relative to the main file's folder lies on the disk. */
  onDisk(path: string): string {
    return isAbsolute(path) ? path : join(this.#folder, path);
  }

  /**
   * Reads the first of the places that has the file.
   * @param named the file as the model names it
   * @param asker the file that names it; null for the main file
   */
  find(named: string, places: readonly string[], asker: string | null): { path: string; bytes: Uint8Array } {
    for (const place of places) {
      const path = posix.normalize(place);
      const bytes = this.files.get(path) ?? readIfThere(this.onDisk(path));
      if (bytes === null) continue;
      this.files.set(path, bytes);
      return { path, bytes };
    }
    const wanted = this.onDisk(posix.normalize(places[0]!));
    if (asker === null) throw new ModelError(`There is no model file ${wanted}.`);
    throw new ModelError(`${this.onDisk(asker)} refers to "${named}", but ${wanted} is missing.`);
  }

  readText(named: string, places: readonly string[], asker: string | null): string {
    return new TextDecoder().decode(this.find(named, places, asker).bytes);
  }
}

/** @returns null when there is no such file. */
function readIfThere(path: string): Uint8Array | null {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (code === 'EISDIR') throw new ModelError(`${path} is a folder, and a model needs a file there.`);
    throw new ModelError(`${path} cannot be read: ${message}.`);
  }
}

interface ModelFile {
  /** Relative to the main file's folder. */
  readonly path: string;
  readonly text: string;
}

/** A file that a model needs beside its XML. */
interface AssetReference {
  readonly kind: 'mesh' | 'texture' | 'model';
  readonly named: string;
  readonly asker: string;
}

/** The model's `compiler` settings as far as they say where files lie; of several the last one counts. */
interface AssetFolders {
  mesh: string;
  texture: string;
  stripPath: boolean;
}

/** Reads all that one model needs, the models it attaches included. */
function collect(disk: ModelFolder, model: ModelFile): void {
  if (disk.models.has(model.path)) return;
  disk.models.add(model.path);
  const base = posix.dirname(model.path);
  const folders: AssetFolders = { mesh: '', texture: '', stripPath: false };
  const references: AssetReference[] = [];
  const visited = new Set<string>();

  function visit(file: ModelFile): void {
    if (visited.has(file.path)) return;
    visited.add(file.path);
    for (const tag of xmlTags(file.text)) {
      if (tag.name === 'compiler') applyCompiler(folders, tag);
      else if (tag.name === 'include') include(tag, file.path);
      else references.push(...referencesOf(tag, file.path));
    }
  }
  function include(tag: XmlTag, asker: string): void {
    const named = withSlashes(tag.attributes['file'] ?? '');
    if (named === '') return;
    const { path, bytes } = disk.find(named, [under(base, named), under(posix.dirname(asker), named)], asker);
    visit({ path, text: new TextDecoder().decode(bytes) });
  }

  visit(model);
  for (const { kind, named, asker } of references) {
    const file = folders.stripPath && kind !== 'model' ? posix.basename(named) : named;
    const folder = kind === 'model' ? '' : folders[kind];
    const { path, bytes } = disk.find(named, [under(base, under(folder, file)), under(posix.dirname(asker), file)], asker);
    if (kind === 'model') collect(disk, { path, text: new TextDecoder().decode(bytes) });
  }
}

function applyCompiler(folders: AssetFolders, { attributes }: XmlTag): void {
  const { assetdir, meshdir, texturedir, strippath } = attributes;
  const mesh = meshdir ?? assetdir;
  const texture = texturedir ?? assetdir;
  if (mesh !== undefined) folders.mesh = withSlashes(mesh);
  if (texture !== undefined) folders.texture = withSlashes(texture);
  if (strippath !== undefined) folders.stripPath = strippath === 'true';
}

const TEXTURE_FILES = ['file', 'fileright', 'fileleft', 'fileup', 'filedown', 'filefront', 'fileback'];
const KINDS = { mesh: 'mesh', hfield: 'mesh', skin: 'mesh', flexcomp: 'mesh', texture: 'texture', model: 'model' } as const;

function referencesOf({ name, attributes }: XmlTag, asker: string): AssetReference[] {
  if (!Object.hasOwn(KINDS, name)) return [];
  const kind = KINDS[name as keyof typeof KINDS];
  const named = (kind === 'texture' ? TEXTURE_FILES : ['file']).map((key) => withSlashes(attributes[key] ?? ''));
  return named.filter((file) => file !== '').map((file) => ({ kind, named: file, asker }));
}

const withSlashes = (path: string): string => path.replaceAll('\\', '/');
const under = (folder: string, file: string): string => (posix.isAbsolute(file) ? file : posix.join(folder, file));
