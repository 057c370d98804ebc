#!/usr/bin/env node
import { existsSync } from 'node:fs';

const entry = new URL('../dist/worker/cli/main.js', import.meta.url);
if (!existsSync(entry)) {
  process.stderr.write('leash: not built yet. Run `npm run setup` in the folder of Leash first.\n');
  process.exit(1);
}
await import(entry.href);
