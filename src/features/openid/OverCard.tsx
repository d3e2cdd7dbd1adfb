import { Button } from '@shared/ui/buttons/Button';
import { Card } from '@shared/ui/page/Card';
import { Name, Sentence } from '@shared/ui/Name';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { continueMessages as words } from './continue.messages';

interface OverCardProps {
  /** The application. */
  readonly name: string;
  /** The browser is opening the application. */
  readonly busy: boolean;
  readonly onOpen: () => void;
}

/** The request cannot be answered any more. The application begins anew. */
export function OverCard({ name, busy, onOpen }: OverCardProps) {
  const title = useAutoFocus<HTMLHeadingElement>(true);
  return (
    <Card
      titleRef={title}
      title={<Sentence of={words.title(name)} />}
      lead={<Sentence of={words.again(name)} />}
    >
      <Button wide variant="primary" busy={busy} disabled={busy} onClick={onOpen}>
        <Name>{name}</Name>
      </Button>
    </Card>
  );
}
