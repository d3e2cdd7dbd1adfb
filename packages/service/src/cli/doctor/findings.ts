import { codeOf } from './ask.ts';

/** What one check came to. */
export interface Finding {
  readonly check: string;
  readonly outcome: 'ok' | 'wrong' | 'skipped';
  /** What was looked at: a host, an address. */
  readonly subject: string;
  /** A sentence; of what is wrong, or why it was not checked. */
  readonly problem?: string;
  /** What to do. */
  readonly advice?: string;
}

/** Something is wrong: a sentence, and another one that says what to do. */
export class Wrong extends Error {
  override readonly name = 'Wrong';
  constructor(
    problem: string,
    readonly advice: string,
  ) {
    super(problem);
  }
}

/** It cannot be checked from here; the message is a sentence. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

/** Looks, and says what came of it. `look` throws `Wrong` or `NotChecked`, or fails. */
export async function find(check: string, subject: string, look: () => Promise<void>): Promise<Finding> {
  try {
    await look();
    return { check, subject, outcome: 'ok' };
  } catch (error) {
    if (error instanceof Wrong)
      return { check, subject, outcome: 'wrong', problem: error.message, advice: error.advice };
    if (error instanceof NotChecked) return { check, subject, outcome: 'skipped', problem: error.message };
    return {
      check,
      subject,
      outcome: 'wrong',
      problem: `${subject} does not answer (${codeOf(error)}).`,
      advice: 'Is the server up, and may this machine reach it?',
    };
  }
}

/** As a person reads it. */
export function formatFinding({ check, outcome, subject, problem, advice }: Finding): string {
  if (outcome === 'ok') return `ok       ${check}: ${subject}`;
  if (outcome === 'skipped') return `skipped  ${check}: ${subject}: ${problem ?? ''}`;
  return `WRONG    ${check}: ${problem ?? ''}\n         ${advice ?? ''}`;
}
