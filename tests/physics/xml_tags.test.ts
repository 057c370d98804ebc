import { expect, it } from 'vitest';
import { xmlTags } from '../../worker/physics/xml_tags.ts';

const read = (text: string) => [...xmlTags(text)].map(({ name, attributes }) => [name, attributes]);

it('reads tags and attributes in order, whatever their quotes and spacing', () => {
  expect(read('<?xml version="1.0"?><a x="1" y = \'2\'>text<b\n  z="3"/></a>')).toEqual([
    ['a', { x: '1', y: '2' }],
    ['b', { z: '3' }],
  ]);
});

it('passes over comments and literal text', () => {
  expect(read('<!-- <a x="1"/> --><![CDATA[<b/>]]><!DOCTYPE c><d/><!-- a > b --><e/>')).toEqual([
    ['d', {}],
    ['e', {}],
  ]);
});

it('keeps brackets and quotes inside attributes', () => {
  expect(read(`<a x="1 > 0" y='say "no"' z="don't"/>`)).toEqual([['a', { x: '1 > 0', y: 'say "no"', z: "don't" }]]);
});

it('writes entities out', () => {
  expect(read('<a file="R&amp;D &lt;&#65;&#x42;&gt; &quot;&apos; &unknown; &#x110000;"/>')).toEqual([
    ['a', { file: 'R&D <AB> "\' &unknown; &#x110000;' }],
  ]);
});
