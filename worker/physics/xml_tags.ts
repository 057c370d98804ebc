/** An opening (or self-closing) tag. */
export interface XmlTag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const SKIPPED = String.raw`<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<[?!][^>]*>`;
const ATTRIBUTE = String.raw`[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*')`;
const TOKEN = new RegExp(String.raw`${SKIPPED}|<([^\s/>!?]+)((?:\s+${ATTRIBUTE})*)\s*/?>`, 'g');
const PAIR = /([^\s=/>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The tags of an XML text in order, without comments. What is no well-formed tag is passed over: MuJoCo's parser complains about it. */
export function* xmlTags(text: string): Generator<XmlTag> {
  for (const [, name, attributes] of text.matchAll(TOKEN)) {
    if (name !== undefined) yield { name, attributes: parseAttributes(attributes ?? '') };
  }
}

function parseAttributes(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(PAIR)].map(([, name, double, single]) => [name, withoutEntities(double ?? single ?? '')]));
}

function withoutEntities(text: string): string {
  return text.replace(/&(#x?[\da-f]+|\w+);/gi, (whole, code: string) => {
    if (!code.startsWith('#')) return ENTITIES[code] ?? whole;
    const point = /^#x/i.test(code) ? Number.parseInt(code.slice(2), 16) : Number.parseInt(code.slice(1), 10);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
