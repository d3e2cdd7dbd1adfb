import { selectIsEmbedded, selectSignInName } from '@features/session';
import { brandFor } from '@shared/brand/brand';
import { selectBrandFacts } from '@shared/brand/brand.slice';
import { useConfig, useVaultValue } from '@shared/contexts';
import { useDispatch, useSelector } from 'react-redux';
import { RecoveryCodes, RecoveryCount } from './RecoveryCodes';
import {
  recoveryCodesHidden,
  recoveryCodesRequested,
  recoveryCodesTaken,
  selectRecoveryCodes,
} from './recoveryCodes.slice';

/** How many recovery codes are left, or the new ones. */
export function RecoveryCodesPart() {
  // The slice may not exist yet, because it is in another chunk.
  const { count, codes } = useSelector(selectRecoveryCodes) ?? {};
  const held = useVaultValue('recoveryCodes');
  const { brands } = useConfig();
  const { label } = brandFor(useSelector(selectBrandFacts), brands);
  const username = useSelector(selectSignInName);
  const takesFocus = !useSelector(selectIsEmbedded);
  const dispatch = useDispatch();
  if (codes?.phase === 'shown')
    return (
      <RecoveryCodes
        codes={held}
        product={label}
        username={username}
        shown={codes}
        takesFocus={takesFocus}
        onTake={(how) => void dispatch(recoveryCodesTaken(how))}
        onDone={() => void dispatch(recoveryCodesHidden())}
      />
    );
  return count ? <RecoveryCount count={count} onGet={() => void dispatch(recoveryCodesRequested())} /> : null;
}
