/** Which blanks count: those of a password do, in other fields they are trimmed. */
export interface Filling {
  readonly blanksCount?: boolean;
}

/** Whether a field holds something, or what the browser shows before scripts may read it. */
export const isFilled = (input: HTMLInputElement, { blanksCount = false }: Filling = {}): boolean =>
  (blanksCount ? input.value : input.value.trim()) !== '' || isAutofilled(input);

function isAutofilled(input: HTMLInputElement): boolean {
  try {
    return input.matches(':autofill');
  } catch {
    // A browser that does not know the selector.
    return false;
  }
}
