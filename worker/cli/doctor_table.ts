import type { FindingGroup, FindingState } from '../gpu/finding.ts';

const colors: Readonly<Record<FindingState, string>> = { ok: '32', missing: '33', wrong: '31' };

/** The doctor's findings as a person reads them: state, title, detail, and below it the mend. */
export function doctorTable(groups: readonly FindingGroup[], { color }: { color: boolean }): string {
  const width = Math.max(...groups.flatMap((group) => group.findings.map((finding) => finding.title.length)));
  const paint = (state: FindingState): string => {
    const word = state.padEnd(7);
    return color ? `\u001b[${colors[state]}m${word}\u001b[0m` : word;
  };
  const lines = groups.flatMap((group) => [
    group.title,
    ...group.findings.flatMap((finding) => {
      const line = `  ${paint(finding.state)}  ${finding.title.padEnd(width)}  ${finding.detail}`;
      return finding.mend === null ? [line] : [line, `${' '.repeat(11 + width)}  → ${finding.mend}`];
    }),
    '',
  ]);
  return `${lines.join('\n').trimEnd()}\n`;
}
