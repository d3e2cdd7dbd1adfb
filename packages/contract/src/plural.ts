/** The forms of a text by a count, which replaces '#': for exactly 0, for 1, and for others. */
interface Forms {
  readonly '=0'?: string;
  readonly one: string;
  readonly other: string;
}

/** The English form for a count. Other languages have the plural forms of ICU in their catalogue. */
export function plural(count: number, forms: Forms): string {
  const form = (count === 0 ? forms['=0'] : undefined) ?? (count === 1 ? forms.one : forms.other);
  return form.replace('#', String(count));
}
