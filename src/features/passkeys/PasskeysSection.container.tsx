import { selectIsEmbedded } from '@features/session';
import { useDispatch, useSelector } from 'react-redux';
import {
  nameSubmitted,
  passkeysRequested,
  proofNeeded,
  removalRequested,
  renamingToggled,
  selectPasskeys,
} from './passkeys.slice';
import { PasskeysSection as Section } from './PasskeysSection';

/** The passkeys on the account settings. */
export function PasskeysSection() {
  const dispatch = useDispatch();
  return (
    <Section
      {...useSelector(selectPasskeys)}
      takesFocus={!useSelector(selectIsEmbedded)}
      onTryAgain={() => void dispatch(passkeysRequested())}
      onAdd={() => void dispatch(proofNeeded({ kind: 'add' }))}
      onRename={(id) => void dispatch(renamingToggled(id))}
      onName={(credentialId, name) => void dispatch(nameSubmitted({ credentialId, name }))}
      onRemove={(id) => void dispatch(removalRequested(id))}
    />
  );
}
