import { selectIsEmbedded } from '@features/session';
import { useDispatch, useSelector } from 'react-redux';
import { selectElements } from './elements.slice';
import { PaymentsSection as Section } from './PaymentsSection';
import {
  codeSubmitted,
  newCodeRequested,
  passkeyRequested,
  permissionEnded,
  permissionRequested,
  selectProof,
  textRequested,
} from './proof.slice';

/** What does not confirm payments yet, on the account settings. */
export function PaymentsSection() {
  const elements = useSelector(selectElements);
  const proof = useSelector(selectProof);
  const dispatch = useDispatch();
  const { methods } = elements;
  return (
    <Section
      {...elements}
      proof={proof}
      takesFocus={!useSelector(selectIsEmbedded)}
      onPermit={(credentialId) => void dispatch(permissionRequested({ credentialId, methods }))}
      onGivenUp={() => void dispatch(permissionEnded())}
      onMethod={(method) => void dispatch(method === 'passkey' ? passkeyRequested() : textRequested())}
      onCode={(code) => void dispatch(codeSubmitted(code))}
      onResend={() => void dispatch(newCodeRequested())}
    />
  );
}
