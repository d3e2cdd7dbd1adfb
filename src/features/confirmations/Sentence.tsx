/** No name contains it. */
const gap = '\0';

interface SentenceProps {
  readonly of: (name: string) => string;
  readonly name: string;
}

/** A sentence with a name, whose direction does not change that of the words around it. */
export function Sentence({ of, name }: SentenceProps) {
  const [before = '', after = ''] = of(gap).split(gap);
  return (
    <>
      {before !== '' && <span>{before}</span>}
      <bdi>{name}</bdi>
      {after !== '' && <span>{after}</span>}
    </>
  );
}
