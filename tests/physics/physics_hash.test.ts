import { expect, it, type TestContext } from 'vitest';
import type { EngineKind, ModelSource } from '../../worker/physics/engine.ts';
import { physicsHash } from '../../worker/physics/physics_hash.ts';
import { pupperSource } from '../../worker/tasks/pupper/model.ts';
import { describeEachEngine, engineOf } from './each_engine.ts';

const source = pupperSource();

/** The Pupper's file with one place changed; fails where the place is not there. */
function edited(before: string | RegExp, after: string): ModelSource {
  const xml = source.xml.replace(before, after);
  if (xml === source.xml) throw new Error(`pupper.xml has no ${before}`);
  return { ...source, xml };
}

async function hashOf(context: TestContext, kind: EngineKind, of: ModelSource): Promise<string> {
  const model = (await engineOf(context, kind)).compile(of);
  context.onTestFinished(() => model.dispose());
  return physicsHash(model, of);
}

const SEEN: Readonly<Record<string, ModelSource>> = {
  'a material': edited('name="shell" rgba="0.93', 'name="shell" rgba="0.5'),
  'the size of a geom that only shows': edited('class="shell" type="capsule" size="0.043"', 'class="shell" type="capsule" size="0.05"'),
  'a geom less to look at': edited(/<geom class="eye"[^>]*>/, ''),
  'a comment less': edited(/<!--.*?-->/s, ''),
  'other spaces in the options': edited('<option timestep="0.004" ', '<option  timestep="0.004"\n '),
};
const FELT: Readonly<Record<string, ModelSource>> = {
  'a mass': edited('mass="1.506"', 'mass="1.507"'),
  'the friction of what collides': edited('friction="0.8 ', 'friction="0.81 '),
  'the size of a geom that collides': edited('size="0.04507 ', 'size="0.04508 '),
  "a joint's range": edited('range="-1.22 2.51"', 'range="-1.22 2.52"'),
  armature: edited('armature="0.0016"', 'armature="0.0017"'),
  'a servo': edited('gainprm="5 0 0"', 'gainprm="6 0 0"'),
  'the options': edited('impratio="100"', 'impratio="10"'),
  'a flag': edited(/<option ([^>]*)\/>/, '<option $1><flag gravity="disable"/></option>'),
};

describeEachEngine('the hash of what physics depends on ($kind)', ({ kind }) => {
  for (const [change, model] of Object.entries(SEEN)) {
    it(`stays through ${change}`, async (context) => {
      expect(await hashOf(context, kind, model)).toBe(await hashOf(context, kind, source));
    });
  }

  for (const [change, model] of Object.entries(FELT)) {
    it(`changes with ${change}`, async (context) => {
      expect(await hashOf(context, kind, model)).not.toBe(await hashOf(context, kind, source));
    });
  }
});

it('is the same from both engines', async (context) => {
  expect(await hashOf(context, 'native', source)).toBe(await hashOf(context, 'wasm', source));
});
