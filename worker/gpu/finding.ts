export type FindingState = 'ok' | 'missing' | 'wrong';

/** One line of the doctor. */
export interface Finding {
  /** Stable name for programs: `node`, `kfd`, `rocminfo`, … */
  readonly id: string;
  /** What people call it. */
  readonly title: string;
  readonly state: FindingState;
  /** What was found, in a few words. */
  readonly detail: string;
  /** What to do about it: a sentence or an exact command. null where there is nothing to do. */
  readonly mend: string | null;
}

export interface FindingGroup {
  readonly title: string;
  readonly findings: readonly Finding[];
}

export function ok(id: string, title: string, detail: string): Finding {
  return { id, title, state: 'ok', detail, mend: null };
}

export function missing(id: string, title: string, detail: string, mend: string | null): Finding {
  return { id, title, state: 'missing', detail, mend };
}

export function wrong(id: string, title: string, detail: string, mend: string | null): Finding {
  return { id, title, state: 'wrong', detail, mend };
}
