import { Button } from '@shared/ui/Button';
import layout from '@shared/ui/layout.module.css';
import { StatusBadge } from '@shared/ui/StatusBadge';
import { useTakenFocus } from '@shared/ui/useTakenFocus';
import { mfaMessages } from '../mfa.messages';
import type { SetupMethod } from '../setup/setup.slice';
import { SetupCard, type WayBack } from '../setup/SetupCard';

interface MfaOptionsProps {
  /** Whether the title takes the focus by itself; not in a parent's frame (decisions §6). */
  readonly takesFocus: boolean;
  readonly back: WayBack;
  readonly onChoose: (method: SetupMethod) => void;
}

/** `/mfa-options`: the two methods, the recommended one first. */
export function MfaOptions({ takesFocus, back, onChoose }: MfaOptionsProps) {
  const title = useTakenFocus<HTMLHeadingElement>(takesFocus);
  const { app, recommended, sms, back: backLabel } = mfaMessages.options;
  return (
    <SetupCard titleRef={title} backLabel={backLabel} back={back}>
      <div className={layout['tight']}>
        <Button wide onClick={() => onChoose('qrcode')}>
          {app} <StatusBadge>{recommended}</StatusBadge>
        </Button>
        <Button wide onClick={() => onChoose('sms')}>
          {sms}
        </Button>
      </div>
    </SetupCard>
  );
}
