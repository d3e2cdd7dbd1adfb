import { codeOf } from './webRequests.ts';

/** The result of one check. */
export interface Finding {
  readonly check: string;
  /** `warning`: the deployment works, and something should be changed. */
  readonly outcome: 'ok' | 'warning' | 'wrong' | 'skipped';
  /** The checked host or address. */
  readonly subject: string;
  /** A detail for the operator. */
  readonly detail?: string;
  /** The fault, or why it was not checked: a sentence. */
  readonly problem?: string;
  /** How to correct it. */
  readonly advice?: string;
}

/** A check fails or warns. One sentence names the fault, another the correction. */
export class Wrong extends Error {
  override readonly name = 'Wrong';
  constructor(
    problem: string,
    readonly advice: string,
    readonly outcome: 'wrong' | 'warning' = 'wrong',
  ) {
    super(problem);
  }
}

/** It cannot be checked from here; the message is a sentence. */
export class NotChecked extends Error {
  override readonly name = 'NotChecked';
}

/** Runs a check and returns its result. `look` returns a detail or nothing, or throws `Wrong`, `NotChecked` or another error. */
export async function find(check: string, subject: string, look: () => unknown): Promise<Finding> {
  try {
    const detail = await look();
    return { check, subject, outcome: 'ok', ...(typeof detail === 'string' ? { detail } : {}) };
  } catch (error) {
    if (error instanceof Wrong)
      return { check, subject, outcome: error.outcome, problem: error.message, advice: error.advice };
    if (error instanceof NotChecked) return { check, subject, outcome: 'skipped', problem: error.message };
    return {
      check,
      subject,
      outcome: 'wrong',
      problem: `${subject} does not respond (${codeOf(error)}).`,
      advice: 'Is the server running, and can this machine reach it?',
    };
  }
}

/** Formats a finding for the terminal. */
export function formatFinding({ check, outcome, subject, detail, problem, advice }: Finding): string {
  if (outcome === 'ok') return `ok       ${check}: ${subject}${detail === undefined ? '' : `: ${detail}`}`;
  if (outcome === 'skipped') return `skipped  ${check}: ${subject}: ${problem ?? ''}`;
  const word = outcome === 'wrong' ? 'WRONG    ' : 'warning  ';
  return `${word}${check}: ${problem ?? ''}\n         ${advice ?? ''}`;
}
