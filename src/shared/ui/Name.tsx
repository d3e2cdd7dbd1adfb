/** A name, an account, an address or an amount. It has a direction of its own, and page translators do not change it. */
export function Name({ children }: { readonly children: string }) {
  return <bdi translate="no">{children}</bdi>;
}

/** No name contains it. */
const gap = '\0';

interface SentenceProps {
  readonly of: (name: string) => string;
  readonly name: string;
}

/** A sentence that contains a name. */
export function Sentence({ of, name }: SentenceProps) {
  const [before = '', after = ''] = of(gap).split(gap);
  return (
    <>
      {before !== '' && <span>{before}</span>}
      <Name>{name}</Name>
      {after !== '' && <span>{after}</span>}
    </>
  );
}
