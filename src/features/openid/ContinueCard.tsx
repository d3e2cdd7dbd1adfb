import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import { TextLink } from '@shared/ui/buttons/links';
import layout from '@shared/ui/layout.module.css';
import { Card } from '@shared/ui/page/Card';
import { Sentence } from '@shared/ui/Name';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { paths } from '@vestibule/contract/paths';
import { continueMessages as words } from './continue.messages';
import type { OpenIdRequest } from './openid.calls';

interface ContinueCardProps {
  readonly request: OpenIdRequest;
  readonly username: string;
  /** The answer that is being sent; `null` before it. */
  readonly answered: boolean | null;
  readonly onAnswer: (allow: boolean) => void;
  readonly onOtherAccount: () => void;
}

/** Asks whether to go on to an application, and says what it will see. */
export function ContinueCard({ request, username, answered, onAnswer, onOtherAccount }: ContinueCardProps) {
  const { _ } = useLingui();
  const title = useAutoFocus<HTMLHeadingElement>(true);
  const { name, needsConsent, asksWho, what } = request;
  return (
    <Card
      titleRef={title}
      title={<Sentence of={words.title(name)} />}
      lead={<Sentence of={(asksWho ? words.continueAs : words.signedInAs)(username)} />}
    >
      {needsConsent && what.length > 0 && (
        <div>
          <p id="sees">
            <Sentence of={words.willSee(name)} />
          </p>
          <ul aria-labelledby="sees">
            {what.map((one) => (
              <li key={one}>{_(words.sees[one])}</li>
            ))}
          </ul>
        </div>
      )}
      <div className={layout['tight']}>
        <Button
          wide
          variant="primary"
          busy={answered === true}
          disabled={answered !== null}
          onClick={() => onAnswer(true)}
        >
          {_(words.continue)}
        </Button>
        <Button wide busy={answered === false} disabled={answered !== null} onClick={() => onAnswer(false)}>
          {_(words.cancel)}
        </Button>
      </div>
      <p>
        <TextLink
          to={paths.login()}
          onClick={(event) => {
            event.preventDefault();
            onOtherAccount();
          }}
        >
          {_(words.otherAccount)}
        </TextLink>
      </p>
    </Card>
  );
}
