import { useText } from '@shared/texts';
import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import { TextLink } from '@shared/ui/buttons/links';
import { useEventText } from '@shared/eventTexts';
import { deviceMessages } from '@shared/ui/device.messages';
import { deviceName } from '@shared/ui/deviceName';
import layout from '@shared/ui/layout.module.css';
import { Card, FailureCard } from '@shared/ui/page/Card';
import { Sentence } from '@shared/ui/Name';
import { Time } from '@shared/ui/Time';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { paths } from '@vestibule/contract/paths';
import { securityNoticeMessages } from './securityNotice.messages';
import type { SecurityNoticeState } from './securityNotice.slice';

interface SecurityNoticeProps {
  readonly state: Exclude<SecurityNoticeState, { readonly phase: 'opening' | 'gate' }>;
  readonly onAnswer: (mine: boolean) => void;
  readonly onTryAgain: () => void;
}

const words = securityNoticeMessages;

/** Asks whether an event was the user's, and shows the result of the answer. */
export function SecurityNotice({ state, onAnswer, onTryAgain }: SecurityNoticeProps) {
  const { _ } = useLingui();
  const text = useText();
  const title = useAutoFocus<HTMLHeadingElement>(true);
  const sentenceFor = useEventText('notices', words.kinds);
  switch (state.phase) {
    case 'asking':
    case 'answering': {
      const { kind, at, network, ...device } = state.notice;
      const answered = state.phase === 'answering' ? state.mine : null;
      return (
        <Card titleRef={title} title={_(words.title)} lead={sentenceFor(kind) ?? _(words.kinds.other)}>
          <div className={layout['quiet']}>
            <p>
              <Time at={at} />
            </p>
            <p>{text(deviceName(device))}</p>
            {network !== null && (
              <p>
                <Sentence of={deviceMessages.network(network)} />
              </p>
            )}
          </div>
          <div className={layout['tight']}>
            <Button wide busy={answered === true} disabled={answered !== null} onClick={() => onAnswer(true)}>
              {_(words.yes)}
            </Button>
            <Button
              wide
              variant="danger"
              busy={answered === false}
              disabled={answered !== null}
              onClick={() => onAnswer(false)}
            >
              {_(words.no)}
            </Button>
          </div>
        </Card>
      );
    }
    case 'unreached':
      return (
        <FailureCard
          message={_(words.unreached)}
          action={{ label: _(words.tryAgain), onClick: onTryAgain }}
        />
      );
    case 'confirmed':
      return <Card titleRef={title} title={_(words.confirmed)} icon="done" />;
    case 'secured':
      return (
        <Card titleRef={title} title={_(words.secured)} icon="done">
          <p>
            <TextLink to={paths.login()}>{_(words.signIn)}</TextLink>
          </p>
        </Card>
      );
  }
}
