import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import { msOf, useDates } from '@shared/ui/date';
import { CodeForm, type CodeFormProps } from '@shared/ui/fields/CodeForm';
import layout from '@shared/ui/layout.module.css';
import { Name } from '@shared/ui/Name';
import { Entries, EntryRow } from '@shared/ui/page/EntryList';
import { Section } from '@shared/ui/page/WidePage';
import { useId } from 'react';
import { confirmationMessages } from './confirmations.messages';
import type { Method } from './confirmations.slice';
import { elementMessages as words } from './elements.messages';
import type { ElementsState, WaitingElement } from './elements.slice';
import styles from './PaymentsSection.module.css';
import type { ProofState } from './proof.slice';

interface PaymentsSectionProps
  extends ElementsState, Pick<CodeFormProps, 'takesFocus' | 'onCode' | 'onResend'> {
  /** How the user permits a passkey, while it is asked for. */
  readonly proof: ProofState;
  readonly onPermit: (credentialId: string) => void;
  readonly onGivenUp: () => void;
  readonly onMethod: (method: Method) => void;
}

/** What does not confirm payments yet, and how a passkey can at once. */
export function PaymentsSection(props: PaymentsSectionProps) {
  const { _ } = useLingui();
  const { waiting, permitted } = props;
  return (
    <Section
      title={_(words.title)}
      details={
        <Entries>
          {[...permitted, ...waiting].map((element) => (
            <ElementRow
              key={element.credentialId}
              {...props}
              element={element}
              isPermitted={permitted.includes(element)}
            />
          ))}
        </Entries>
      }
    >
      <p className={layout['quiet']}>{_(words.text)}</p>
    </Section>
  );
}

interface ElementRowProps extends PaymentsSectionProps {
  readonly element: WaitingElement;
  readonly isPermitted: boolean;
}

function ElementRow(props: ElementRowProps) {
  const { _ } = useLingui();
  const { element, isPermitted, methods, readAt, proof, onPermit, onGivenUp } = props;
  const { credentialId, name, needsSignIn } = element;
  const titleId = useId();
  const sentence = useSentence(element, readAt);
  const asked = proof.phase !== 'none' && proof.credentialId === credentialId ? proof : null;
  const work = asked && 'by' in asked ? asked.by : null;
  const canChoose = methods.passkey && methods.text;
  const isOpen = asked !== null && (canChoose || asked.entry !== null);
  const mayPermit = !isPermitted && !needsSignIn && (methods.passkey || methods.text);
  return (
    <EntryRow
      id={titleId}
      title={name === null ? _(words.phone) : <Name>{name}</Name>}
      action={
        credentialId !== null &&
        mayPermit && (
          <Button
            aria-describedby={titleId}
            aria-expanded={isOpen}
            busy={work !== null && !isOpen}
            disabled={'by' in proof}
            onClick={() => (isOpen ? onGivenUp() : onPermit(credentialId))}
          >
            {_(words.permit)}
          </Button>
        )
      }
      below={isOpen && <Permission {...props} asked={asked} work={work} />}
    >
      {/* A live region: screen readers say that the passkey was permitted. */}
      <p role="status">{isPermitted ? _(words.permitted) : sentence && _(sentence)}</p>
      {needsSignIn && <p>{_(words.needsSignIn)}</p>}
    </EntryRow>
  );
}

/** When the element confirms payments; `null` if only a sign-in with it is missing. */
function useSentence({ method, confirmsFrom, needsSignIn }: WaitingElement, readAt: number) {
  const { formatTimeNear } = useDates();
  if (confirmsFrom === null) return needsSignIn ? null : words.notYet[method];
  return msOf(confirmsFrom) > readAt ? words.from[method](formatTimeNear(confirmsFrom, readAt)) : null;
}

interface PermissionProps extends PaymentsSectionProps {
  readonly asked: Exclude<ProofState, { readonly phase: 'none' }>;
  readonly work: string | null;
}

function Permission({ asked, work, takesFocus, onMethod, onCode, onResend }: PermissionProps) {
  const { _ } = useLingui();
  const { entry, methods, phase } = asked;
  const red = phase === 'rejected';
  return (
    <div className={styles['permission']}>
      {entry && (
        <CodeForm
          texts={confirmationMessages}
          {...{ entry, work, red, takesFocus, onCode, onResend }}
          sent={_(words.sent(entry.lastFourPhone))}
        />
      )}
      {(methods.passkey || !entry) && (
        <div className={layout['row']}>
          {methods.passkey && (
            <Button
              busy={work === 'passkey'}
              disabled={work !== null || red}
              onClick={() => onMethod('passkey')}
            >
              {_(words.byPasskey)}
            </Button>
          )}
          {methods.text && !entry && (
            <Button busy={work === 'text'} disabled={work !== null} onClick={() => onMethod('text')}>
              {_(words.byText)}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
