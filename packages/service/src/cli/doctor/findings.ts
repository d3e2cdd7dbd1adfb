import { codeOf } from './webRequests.ts';

/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly outcome: 'ok' | 'wrong' | 'skipped';
  /** The checked host or address. */
  readonly subject: string;
  /** The fault, or why it was not checked: a sentence. */
  readonly problem?: string;
  /** How to correct it. */
  readonly advice?: string;
}

/** A check failed: a sentence with the fault, and another with the correction. */
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

/** Runs a check and returns its result. `look` throws `Wrong` or `NotChecked`, or another error. */
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
      problem: `${subject} does not respond (${codeOf(error)}).`,
      advice: 'Is the server running, and can this machine reach it?',
    };
  }
}

/** Formats a finding for the terminal. */
export function formatFinding({ check, outcome, subject, problem, advice }: Finding): string {
  if (outcome === 'ok') return `ok       ${check}: ${subject}`;
  if (outcome === 'skipped') return `skipped  ${check}: ${subject}: ${problem ?? ''}`;
  return `WRONG    ${check}: ${problem ?? ''}\n         ${advice ?? ''}`;
}
