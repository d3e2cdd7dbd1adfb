import { Button } from '@shared/ui/buttons/Button';
import type { ReactNode } from 'react';
import { useDispatch } from 'react-redux';
import { passkeyMessages } from './passkeys.messages';
import { passkeyRequested } from './passkeyAttempt';

interface PasskeyButtonProps {
  /** The text of `/login`. */
  readonly signsIn?: boolean;
  /** The passkey is being asked for or checked. */
  readonly busy: boolean;
  readonly disabled: boolean;
}

/** Asks the browser for a passkey. */
export function PasskeyButton({ signsIn = false, ...state }: PasskeyButtonProps): ReactNode {
  const dispatch = useDispatch();
  return (
    <Button wide {...state} onClick={() => void dispatch(passkeyRequested())}>
      {signsIn ? passkeyMessages.signIn : passkeyMessages.use}
    </Button>
  );
}
