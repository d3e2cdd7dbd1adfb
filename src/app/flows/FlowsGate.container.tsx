import { ExpiryWarning } from '@features/auth';
import type { ReactNode } from 'react';
import { useSelector } from 'react-redux';
import { selectAreFlowsRunning } from './flows.slice';

/** Around the screens whose state is part of the flows: shows them when it exists. */
export function FlowsGate({ children }: { readonly children: ReactNode }) {
  if (!useSelector(selectAreFlowsRunning)) return null;
  return (
    <>
      <ExpiryWarning />
      {children}
    </>
  );
}
