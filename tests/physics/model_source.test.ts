import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ModelError, type ModelSource } from '../../worker/physics/engine.ts';
import { readModelSource } from '../../worker/physics/model_source.ts';
import { describeEachEngine, engineOf } from './each_engine.ts';
import { FOUR_PIXELS, folderWith, heightField, tetrahedronObj, tetrahedronStl } from './model_files.ts';

const DENSITY = 1000;
const volume = (edge: number): number => edge ** 3 / 6;
const pathsOf = (source: ModelSource): string[] => [...source.files.keys()].toSorted();
const asset = (file: string): string => `<asset><mesh name="rock" file="${file}"/></asset>`;
const ROCK = '<worldbody><body name="rock"><freejoint/><geom type="mesh" mesh="rock"/></body></worldbody>';
const rockIn = (file: string, compiler = ''): string => `<mujoco>${compiler}${asset(file)}${ROCK}</mujoco>`;

describeEachEngine('a model read from files ($kind)', ({ kind }) => {
  it('brings its mesh along, OBJ and STL, from the mesh folder', async (context) => {
    const engine = await engineOf(context, kind);
    const folder = folderWith({
      'scene.xml': `<mujoco><compiler meshdir="meshes/"/><asset><mesh file="a.obj"/><mesh name="b" file="deep/b.stl" scale="2 2 2"/></asset>
        <worldbody><body><freejoint/><geom type="mesh" mesh="a"/></body><body><freejoint/><geom type="mesh" mesh="b"/></body></worldbody></mujoco>`,
      'meshes/a.obj': tetrahedronObj(0.3),
      'meshes/deep/b.stl': tetrahedronStl(0.2),
    });
    const source = readModelSource(join(folder, 'scene.xml'));
    expect(pathsOf(source)).toEqual(['meshes/a.obj', 'meshes/deep/b.stl']);
    const model = engine.compile(source);
    const [, a, b] = model.field('body_mass');
    expect(a! / (DENSITY * volume(0.3))).toBeCloseTo(1, 6);
    expect(b! / (DENSITY * volume(0.4))).toBeCloseTo(1, 6);
    expect(model.names('mesh')).toEqual(['a', 'b']);
    model.dispose();
  });

  it('follows includes of includes, each from its own folder or the main one', async (context) => {
    const engine = await engineOf(context, kind);
    const folder = folderWith({
      'robot/scene.xml':
        '<mujoco><!-- <include file="gone.xml"/> --><include file="parts/arm.xml"/><include file="../world.xml"/></mujoco>',
      'robot/parts/arm.xml': `<mujocoinclude><include file="hand.xml"/><include file='parts/leg.xml'/>${asset('stone.obj')}${ROCK}</mujocoinclude>`,
      'robot/parts/hand.xml': '<mujocoinclude><worldbody><geom name="hand" size="0.1"/></worldbody></mujocoinclude>',
      'robot/parts/leg.xml': '<mujocoinclude><worldbody><geom name="leg" size="0.1"/></worldbody></mujocoinclude>',
      'robot/parts/stone.obj': tetrahedronObj(0.5),
      'world.xml': '<mujocoinclude><worldbody><geom name="ground" type="plane" size="1 1 1"/></worldbody></mujocoinclude>',
    });
    const source = readModelSource(join(folder, 'robot', 'scene.xml'));
    expect(pathsOf(source)).toEqual(['../world.xml', 'parts/arm.xml', 'parts/hand.xml', 'parts/leg.xml', 'parts/stone.obj']);
    const model = engine.compile(source);
    expect(
      model
        .names('geom')
        .filter((name) => name !== '')
        .toSorted(),
    ).toEqual(['ground', 'hand', 'leg']);
    expect(model.field('body_mass')[model.id('body', 'rock')]! / (DENSITY * volume(0.5))).toBeCloseTo(1, 6);
    model.dispose();
  });

  it('takes folder settings from wherever they stand, the last one counting', async (context) => {
    const engine = await engineOf(context, kind);
    const folder = folderWith({
      'scene.xml': `<mujoco><compiler meshdir="wrong"/><include file="settings.xml"/>${asset('old\\rock.obj')}${ROCK}</mujoco>`,
      'settings.xml': '<mujocoinclude><compiler assetdir="assets" strippath="true"/></mujocoinclude>',
      'assets/rock.obj': tetrahedronObj(0.1),
    });
    const source = readModelSource(join(folder, 'scene.xml'));
    expect(pathsOf(source)).toEqual(['assets/rock.obj', 'settings.xml']);
    engine.compile(source).dispose();
  });

  it('brings textures and height fields along', async (context) => {
    const engine = await engineOf(context, kind);
    const folder = folderWith({
      'scene.xml': `<mujoco><compiler meshdir="ground" texturedir="pictures"/>
        <asset><hfield name="hills" file="hills.bin" size="1 1 2 1"/><texture name="tiles" type="2d" file="tiles.png"/>
        <texture name="sky" type="cube" fileright="tiles.png" fileleft="tiles.png" fileup="tiles.png" filedown="tiles.png" filefront="tiles.png" fileback="back.png"/></asset>
        <worldbody><geom type="hfield" hfield="hills"/></worldbody></mujoco>`,
      'ground/hills.bin': heightField(2, 3, [0, 1, 2, 3, 4, 8]),
      'pictures/tiles.png': FOUR_PIXELS,
      'pictures/back.png': FOUR_PIXELS,
    });
    const source = readModelSource(join(folder, 'scene.xml'));
    expect(pathsOf(source)).toEqual(['ground/hills.bin', 'pictures/back.png', 'pictures/tiles.png']);
    const model = engine.compile(source);
    // MuJoCo scales heights to 0…1.
    expect([...model.field('hfield_data')]).toEqual([0, 0.125, 0.25, 0.375, 0.5, 1]);
    const pixels = [...model.field('tex_data').subarray(0, 12)];
    expect(pixels.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255]);
    model.dispose();
  });

  it('brings attached models along, with what those need', async (context) => {
    const engine = await engineOf(context, kind);
    const folder = folderWith({
      'scene.xml':
        '<mujoco><asset><model name="part" file="parts/part.xml"/></asset><worldbody><attach model="part" body="rock" prefix="left_"/></worldbody></mujoco>',
      'parts/part.xml': rockIn('rock.obj', '<compiler meshdir="meshes"/>'),
      'parts/meshes/rock.obj': tetrahedronObj(0.2),
    });
    const source = readModelSource(join(folder, 'scene.xml'));
    expect(pathsOf(source)).toEqual(['parts/meshes/rock.obj', 'parts/part.xml']);
    const model = engine.compile(source);
    expect(model.names('body')).toContain('left_rock');
    model.dispose();
  });

  it('has the mesh of its own time, though an older one had the same name', async (context) => {
    const engine = await engineOf(context, kind);
    const folder = folderWith({ 'scene.xml': rockIn('../rock.obj'), 'in/scene.xml': rockIn('../rock.obj'), 'rock.obj': '' });
    for (const edge of [0.1, 0.2, 0.3, 0.1]) {
      writeFileSync(join(folder, 'rock.obj'), tetrahedronObj(edge));
      const model = engine.compile(readModelSource(join(folder, 'in', 'scene.xml')));
      expect(model.field('body_mass')[1]! / (DENSITY * volume(edge))).toBeCloseTo(1, 6);
      model.dispose();
    }
  });

  it('tells a broken mesh by its own name', async (context) => {
    const engine = await engineOf(context, kind);
    const folder = folderWith({ 'scene.xml': rockIn('rock.stl'), 'rock.stl': 'no triangles here' });
    const compile = () => engine.compile(readModelSource(join(folder, 'scene.xml')));
    expect(compile).toThrow(ModelError);
    expect(compile).toThrow(/scene\.xml does not compile: .*rock/);
    expect(compile).not.toThrow(/model-[\da-f]{16}/);
  });
});

it('a missing mesh is named with the file that asks for it', () => {
  const folder = folderWith({
    'scene.xml': '<mujoco><compiler meshdir="meshes"/><include file="robot.xml"/></mujoco>',
    'robot.xml': `<mujocoinclude>${asset('rock.obj')}${ROCK}</mujocoinclude>`,
  });
  const read = () => readModelSource(join(folder, 'scene.xml'));
  expect(read).toThrow(
    new ModelError(`${join(folder, 'robot.xml')} refers to "rock.obj", but ${join(folder, 'meshes', 'rock.obj')} is missing.`),
  );
});

it('a missing include is named with the file that asks for it', () => {
  const folder = folderWith({ 'scene.xml': '<mujoco>\n<include file="robot.xml"/></mujoco>' });
  const read = () => readModelSource(join(folder, 'scene.xml'));
  expect(read).toThrow(new ModelError(`${join(folder, 'scene.xml')} refers to "robot.xml", but ${join(folder, 'robot.xml')} is missing.`));
});

it('a model that is not there, or is a folder, is said to be so', () => {
  const folder = folderWith({});
  expect(() => readModelSource(join(folder, 'scene.xml'))).toThrow(new ModelError(`There is no model file ${join(folder, 'scene.xml')}.`));
  expect(() => readModelSource(folder)).toThrow(new ModelError(`${folder} is a folder, and a model needs a file there.`));
});

it('files that include each other end', () => {
  const folder = folderWith({
    'a.xml': '<mujoco><include file="b.xml"/></mujoco>',
    'b.xml': '<mujoco><include file="a.xml"/></mujoco>',
  });
  expect(pathsOf(readModelSource(join(folder, 'a.xml')))).toEqual(['b.xml']);
});
