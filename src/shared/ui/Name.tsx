import { useLingui } from '@lingui/react';
import { nameMark as mark, type Text } from '@shared/texts';

/** A name, an account, an address or an amount. It has a direction of its own, and page translators do not change it. */
export function Name({ children }: { readonly children: string }) {
  return <bdi translate="no">{children}</bdi>;
}

/** A text whose values are names, or a text of the service. */
export function Sentence({ of }: { readonly of: Text }) {
  const { _ } = useLingui();
  // A service may not know the language of the page.
  if (typeof of === 'string') return <span dir="auto">{of}</span>;
  const parts = _({ ...of, values: marked(of.values) }).split(mark);
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
