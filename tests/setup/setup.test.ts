import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareComputer, mujocoVersion, python3 } from './bare_computer.ts';

const library = join('build', 'mujoco', 'lib', `libmujoco.so.${mujocoVersion}`);

describe('setup on a fresh computer', () => {
  it('installs, fetches MuJoCo, builds and links the command', () => {
    const computer = bareComputer();
    const { code, output } = computer.setUp();
    expect(output).toContain('built the addons');
    expect(code).toBe(0);
    const [npm, download, unpack, ...rest] = computer.calls();
    expect(npm).toMatch(/^npm ci --ignore-scripts /);
    expect(download).toMatch(new RegExp(`^python3 -m pip download .*mujoco==${mujocoVersion} `));
    expect(unpack).toMatch(/^python3 -m zipfile -e /);
    expect(rest).toEqual([]);
    expect(readFileSync(join(computer.folder, library), 'utf8')).toBe('library\n');
    expect(existsSync(join(computer.folder, 'build/mujoco/include/mujoco/mujoco.h'))).toBe(true);
    expect(readdirSync(join(computer.folder, 'build'))).toEqual(['mujoco']);
    expect(readlinkSync(join(computer.folder, 'node_modules/.bin/leash'))).toBe('../../bin/leash.js');
    expect(existsSync(join(computer.folder, 'dist'))).toBe(true);
  });

  it('says beforehand what it installs', () => {
    const computer = bareComputer();
    computer.remove('cmake');
    const { output } = computer.setUp();
    const plan = output.slice(0, output.indexOf('\n— '));
    expect(plan).toContain('npm packages');
    expect(plan).toContain('cmake, with ');
    expect(plan).toContain(`MuJoCo ${mujocoVersion}`);
  });

  it('asks apt for the missing tools and no others', () => {
    const computer = bareComputer();
    for (const name of ['cmake', 'c++', 'python3']) computer.remove(name);
    computer.program('apt-get', `case "$*" in *install*) exit 0 ;; esac`);
    computer.setUp();
    const installed = computer.calls().find((call) => call.startsWith('apt-get') && call.includes(' install '));
    expect(installed).toMatch(/ cmake g\+\+ python3 python3-pip$/);
  });
});

describe('setup as an ordinary user', () => {
  const asUser = ['--import', `data:text/javascript,${encodeURIComponent('process.getuid = () => 1000')}`];

  it('says beforehand that it uses sudo, and uses it for apt-get alone', () => {
    const computer = bareComputer();
    computer.remove('make');
    const { output } = computer.setUp({}, asUser);
    expect(output).toContain('make, with sudo apt-get, which may ask for your password');
    const privileged = computer.calls().filter((call) => call.startsWith('sudo '));
    expect(privileged).toEqual([expect.stringMatching(/ apt-get .*update$/), expect.stringMatching(/ apt-get .*install .* make$/)]);
  });

  it('goes on without sudo, and names what to install', () => {
    const computer = bareComputer();
    computer.remove('make');
    computer.remove('sudo');
    const { code, output } = computer.setUp({}, asUser);
    expect(output).toContain('make missing, and you are not root and there is no sudo: install make');
    expect(code).toBe(0);
  });
});

describe('setup run twice', () => {
  it('installs nothing the second time', () => {
    const computer = bareComputer();
    computer.setUp();
    computer.calls();
    const { code, output } = computer.setUp();
    expect(code).toBe(0);
    expect(computer.calls()).toEqual([]);
    expect(output).toContain('Everything is installed');
  });

  it('installs the npm packages anew after the lock file changed', () => {
    const computer = bareComputer();
    computer.setUp();
    computer.calls();
    writeFileSync(join(computer.folder, 'package-lock.json'), '{}');
    computer.setUp();
    expect(computer.calls()).toEqual([expect.stringMatching(/^npm ci /)]);
  });
});

describe('what setup can do without', () => {
  it('goes on without apt, and names what to install', () => {
    const computer = bareComputer();
    computer.remove('apt-get');
    computer.remove('cmake');
    const { code, output } = computer.setUp();
    expect(output).toContain('this system has no apt-get: install cmake with your system’s package manager');
    expect(output).toContain('Set up, except for this:');
    expect(code).toBe(0);
  });

  it('goes on when apt-get fails', () => {
    const computer = bareComputer();
    computer.remove('make');
    computer.program('apt-get', 'exit 100');
    const { code, output } = computer.setUp();
    expect(output).toContain('apt-get could not install make');
    expect(code).toBe(0);
  });

  it('goes on without the native library, in one line, and leaves nothing half done', () => {
    const computer = bareComputer();
    computer.program('python3', 'test "$3" = --version');
    const { code, output } = computer.setUp();
    expect(output).toMatch(new RegExp(`^setup: pip could not fetch mujoco ${mujocoVersion}; check the network`, 'm'));
    expect(output).toMatch(/^ {2}- pip could not fetch .* Until then the slower WebAssembly engine serves\.$/m);
    expect(code).toBe(0);
    expect(readdirSync(join(computer.folder, 'build'))).toEqual([]);
  });

  it('takes the package of another Python where this one has none', () => {
    const computer = bareComputer();
    computer.program('python3', `case "$*" in *download*--platform*|*zipfile*|*--version) ;; *) exit 1 ;; esac\n${python3}`);
    expect(computer.setUp().code).toBe(0);
    expect(existsSync(join(computer.folder, library))).toBe(true);
  });

  it('takes MUJOCO_HOME instead of fetching', () => {
    const computer = bareComputer();
    const home = join(computer.folder, 'my-mujoco');
    mkdirSync(join(home, 'lib'), { recursive: true });
    mkdirSync(join(home, 'include', 'mujoco'), { recursive: true });
    writeFileSync(join(home, 'lib', `libmujoco.so.${mujocoVersion}`), '');
    writeFileSync(join(home, 'include', 'mujoco', 'mujoco.h'), '');
    const { output } = computer.setUp({ MUJOCO_HOME: home });
    expect(output).not.toContain('MUJOCO_HOME');
    expect(computer.calls().filter((call) => call.includes('pip'))).toEqual([]);
  });

  it('says so when MUJOCO_HOME leads nowhere', () => {
    const { code, output } = bareComputer().setUp({ MUJOCO_HOME: '/nowhere' });
    expect(output).toContain(`MUJOCO_HOME is /nowhere, which holds no libmujoco.so.${mujocoVersion}`);
    expect(code).toBe(0);
  });
});

describe('what setup cannot do without', () => {
  it('stops when npm fails', () => {
    const computer = bareComputer();
    computer.program('npm', 'exit 1');
    const { code, output } = computer.setUp();
    expect(output).toContain('setup: `npm ci` failed');
    expect(output).not.toContain('built the addons');
    expect(code).toBe(1);
  });

  it('tells an old Node in one sentence', () => {
    const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.19.0' } })";
    const { code, output } = bareComputer().setUp({}, ['--import', `data:text/javascript,${encodeURIComponent(older)}`]);
    expect(output).toMatch(/^Leash needs Node 20 or newer, and this is 18\.19\.0: .*\n$/);
    expect(code).toBe(1);
  });

  it('fails when leash does not start', () => {
    const computer = bareComputer();
    writeFileSync(join(computer.folder, 'bin', 'leash.js'), 'throw new Error("broken")');
    const { code, output } = computer.setUp();
    expect(output).toContain('leash was built, but it does not start');
    expect(code).toBe(1);
  });
});
