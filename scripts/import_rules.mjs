/**
 * Which room may import which: the arrows of docs/architecture.md as data. A room may always import from itself; files that
 * lie in worker/ itself (paths, errors) are ground that every room but protocol may stand on.
 */
const base = ['protocol', 'formats', 'physics'];
const middle = [...base, 'tasks', 'policies'];

export const allowedImports = {
  protocol: [],
  formats: ['protocol'],
  physics: ['protocol', 'formats'],
  tasks: base,
  policies: base,
  training: middle,
  evaluation: middle,
  episodes: middle,
  gpu: middle,
  cli: [...middle, 'training', 'evaluation', 'episodes', 'gpu'],
};

/** Packages that have no place in worker/, which runs without a window. */
export const forbiddenPackages = ['electron', 'react', 'react-dom', 'three'];
