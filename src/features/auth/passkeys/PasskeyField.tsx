import { useLayoutEffect, useRef, type ReactNode } from 'react';

/**
 * Has the browser list passkeys in the username field of its card. The field itself is as it was rendered at build time, for
 * deployments without passkeys.
 */
export function PasskeyField(): ReactNode {
  const mark = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const field = mark.current?.parentElement?.querySelector<HTMLInputElement>('input[name="username"]');
    field?.setAttribute('autocomplete', 'username webauthn');
  }, []);
  return <span ref={mark} hidden />;
}
