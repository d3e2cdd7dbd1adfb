import { nameMark as mark, useText, type Text } from '@shared/texts';

/** A name, an account, an address or an amount. It has a direction of its own, and page translators do not change it. */
export function Name({ children }: { readonly children: string }) {
  return <bdi translate="no">{children}</bdi>;
}

/** A text whose values are names. */
export function Sentence({ of }: { readonly of: Text }) {
  const text = useText();
  const parts = text(typeof of === 'string' ? of : { ...of, values: marked(of.values) }).split(mark);
  // Every second part is a name.
  return parts.map((part, index) =>
    index % 2 === 1 ? <Name key={index}>{part}</Name> : part !== '' && <span key={index}>{part}</span>,
  );
}

const marked = (values: Readonly<Record<string, unknown>> = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? `${mark}${value}${mark}` : value,
    ]),
  );
