/** Whether blanks count. They do in passwords, while other fields are trimmed. */
export interface Filling {
  readonly blanksCount?: boolean;
}

/** Whether a field has a text, or shows one that scripts may not read yet. */
export const isFilled = (input: HTMLInputElement, { blanksCount = false }: Filling = {}): boolean =>
  (blanksCount ? input.value : input.value.trim()) !== '' || isAutofilled(input);

function isAutofilled(input: HTMLInputElement): boolean {
  try {
    return input.matches(':autofill');
  } catch {
    // The browser does not know the selector.
    return false;
  }
}
