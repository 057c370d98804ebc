import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasProgram, root, run } from './programs.mjs';

/** Written after `npm ci` ended well: which lock file node_modules was made from. */
const stamp = join(root, 'node_modules', '.leash-setup');

function wanted() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  return `${lock} ${process.platform}-${process.arch}\n`;
}

/** Whether node_modules is what package-lock.json says. */
export function npmPackagesAreThere() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted();
}

/** @returns null, or in one sentence what went wrong */
export function installNpmPackages() {
  // No package of ours needs its install script: npm versions that run them and versions that don't end up alike.
  // onnxruntime-node's would fetch CUDA libraries; its processor libraries are in the package.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const env = { ONNXRUNTIME_NODE_INSTALL: 'skip' };
  const npm = process.env.npm_execpath;
  const isNpm = npm !== undefined && /npm-cli\.c?js$/.test(npm);
  if (!isNpm && !hasProgram('npm'))
    return 'npm is not installed; install it (Debian, Ubuntu: sudo apt install npm), then run `npm run setup` again.';
  const done = isNpm ? run(process.execPath, [npm, ...args], env) : run('npm', args, env);
  if (!done) return '`npm ci` failed (its own words are above); check the network, then run `npm run setup` again.';
  writeFileSync(stamp, wanted());
  return null;
}
