import { selectIsEmbedded, selectSignInName } from '@features/session';
import { brandFor } from '@shared/brand/brand';
import { selectBrandFacts } from '@shared/brand/brand.slice';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { useConfig, useVaultValue } from '@shared/contexts';
import { useDispatch, useSelector } from 'react-redux';
import { RecoveryCodes, RecoveryCount } from './RecoveryCodes';
import { recoveryMessages } from './recoveryCodes.messages';
import {
  recoveryCodesHidden,
  recoveryCodesRequested,
  recoveryCodesTaken,
  selectRecoveryCodes,
} from './recoveryCodes.slice';

/** In the section of two-step verification, while it is active. */
export function RecoveryCodesCount() {
  const { count } = useSelector(selectRecoveryCodes);
  const dispatch = useDispatch();
  return <RecoveryCount count={count} onGet={() => void dispatch(recoveryCodesRequested())} />;
}

/** In the place of the settings, until the new codes are saved. */
export function NewRecoveryCodes() {
  const { codes } = useSelector(selectRecoveryCodes);
  const held = useVaultValue('recoveryCodes');
  const { brands } = useConfig();
  const { label } = brandFor(useSelector(selectBrandFacts), brands);
  const username = useSelector(selectSignInName);
  const takesFocus = !useSelector(selectIsEmbedded);
  const dispatch = useDispatch();
  if (codes.phase !== 'shown') return null;
  return (
    <>
      <ScreenTitle screen={recoveryMessages.title} />
      <RecoveryCodes
        codes={held}
        product={label}
        username={username}
        shown={codes}
        takesFocus={takesFocus}
        onTake={(how) => void dispatch(recoveryCodesTaken(how))}
        onDone={() => void dispatch(recoveryCodesHidden())}
      />
    </>
  );
}
