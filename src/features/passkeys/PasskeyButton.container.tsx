import { useLingui } from '@lingui/react';
import { wayRequested, type WayButtonProps } from '@shared/slots';
import { Button } from '@shared/ui/buttons/Button';
import type { ReactNode } from 'react';
import { useDispatch } from 'react-redux';
import { passkeyMessages } from './passkeys.messages';

/** Asks the browser for a passkey. */
export function PasskeyButton({ signsIn = false, ...state }: WayButtonProps): ReactNode {
  const { _ } = useLingui();
  const dispatch = useDispatch();
  return (
    <Button wide {...state} onClick={() => void dispatch(wayRequested('passkeys'))}>
      {_(signsIn ? passkeyMessages.signIn : passkeyMessages.use)}
    </Button>
  );
}
