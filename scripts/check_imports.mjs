// Holds worker/ to the arrows of import_rules.mjs. Prints each import that goes against them; exit code 1 if there is one.
// Usage: node scripts/check_imports.mjs [root]
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allowedImports, forbiddenPackages } from './import_rules.mjs';

const importedPath =
  /^\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|^\s*import\s*['"]([^'"]+)['"]/gm;

const root = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..');
const files = readdirSync(join(root, 'worker'), { recursive: true })
  .map((name) => `worker/${name.split(sep).join('/')}`)
  .filter((name) => name.endsWith('.ts'));

const complaints = files.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(importedPath)].flatMap((match) => {
    const problem = against(file, match[1] ?? match[2] ?? match[3]);
    const line = text.slice(0, match.index).split('\n').length + (match[0].startsWith('\n') ? 1 : 0);
    return problem === null ? [] : [`${file}:${line}: ${problem}`];
  });
});

if (complaints.length > 0) console.error(`${complaints.join('\n')}\nThe arrows are in scripts/import_rules.mjs.`);
else console.log(`Imports of ${files.length} files in ${relative('', join(root, 'worker')) || 'worker'}/ follow the arrows.`);
process.exitCode = complaints.length > 0 ? 1 : 0;

/** What is wrong with an import, or null. */
function against(file, imported) {
  if (!imported.startsWith('.')) {
    const name = imported.split('/')[0];
    return forbiddenPackages.includes(name) ? `worker/ may not import ${name}` : null;
  }
  const target = posix.join(posix.dirname(file), imported);
  if (!target.startsWith('worker/')) return `worker/ may not import ${target}`;
  const [from, to] = [roomOf(file), roomOf(target)];
  if (from === to) return null;
  if (from !== null && !(from in allowedImports)) return `room ${from} has no row in the table of arrows`;
  if (to === null) return from === 'protocol' ? `protocol may not import ${target}` : null;
  if (from !== null && allowedImports[from].includes(to)) return null;
  return `${from ?? 'worker/'} may not import ${to} (${target})`;
}

/** `physics` of `worker/physics/engine.ts`; null for a file in worker/ itself. */
function roomOf(path) {
  const parts = path.split('/');
  return parts.length > 2 ? parts[1] : null;
}
