import { ask, hasProgram, run } from './programs.mjs';

/** What is needed, whether it is there, and Debian's package that brings it. */
const buildTools = [
  { name: 'cmake', isThere: () => hasProgram('cmake'), debian: 'cmake' },
  { name: 'make', isThere: () => hasProgram('make') || hasProgram('ninja'), debian: 'make' },
  { name: 'a C++ compiler', isThere: () => hasProgram('c++') || hasProgram('g++') || hasProgram('clang++'), debian: 'g++' },
];
const downloadTools = [
  { name: 'python3', isThere: () => hasProgram('python3'), debian: 'python3' },
  { name: 'pip', isThere: () => ask('python3', ['-m', 'pip', '--version']).done, debian: 'python3-pip' },
];

/** @param needsDownload whether MuJoCo's library is still to be fetched @returns the tools that are missing */
export function missingTools(needsDownload) {
  return [...buildTools, ...(needsDownload ? downloadTools : [])].filter((tool) => !tool.isThere());
}

/** What stands before `apt-get` on the command line (nothing for root, else sudo), or null where there is no apt or no right to use it. */
export function aptCommand() {
  if (!hasProgram('apt-get')) return null;
  if (process.getuid?.() === 0) return [];
  return hasProgram('sudo') ? ['sudo'] : null;
}

/** @returns null, or in one sentence what is missing and what to do */
export function installTools(tools) {
  const names = tools.map((tool) => tool.name).join(', ');
  const before = aptCommand();
  if (before === null) {
    const why = hasProgram('apt-get') ? 'you are not root and there is no sudo' : 'this system has no apt-get';
    return `${names} missing, and ${why}: install ${names} with your system’s package manager, then run \`npm run setup\` again.`;
  }
  const apt = (...args) => {
    const line = [...before, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-o', 'DPkg::Lock::Timeout=120', '-q', '-y', ...args];
    return run(line[0], line.slice(1));
  };
  const packages = tools.map((tool) => tool.debian);
  // The lists of a fresh machine are empty; a failure to renew them matters only if the install then fails too.
  apt('update');
  if (apt('install', '--no-install-recommends', ...packages)) return null;
  return `apt-get could not install ${packages.join(', ')} (its own words are above): install ${names} by hand, then run \`npm run setup\` again.`;
}
