import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { frameStorageChanged, selectFrameStorage, type FrameStorage as State } from '@features/session';
import { useConfig } from '@shared/contexts';
import { selectLocation } from '@shared/routing/location.slice';
import { Button } from '@shared/ui/buttons/Button';
import { ButtonLink } from '@shared/ui/buttons/ButtonLink';
import layout from '@shared/ui/layout.module.css';
import { Card } from '@shared/ui/page/Card';
import { Sentence } from '@shared/ui/Name';
import { paths } from '@vestibule/contract/paths';
import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { frameStorageMessages as words } from './frameStorage.messages';

/** `/login` in a frame whose storage is partitioned. See docs/behaviour.md#embedding. */
export function FrameStorage() {
  const { _ } = useLingui();
  const { signOnUrl } = useConfig();
  const { search } = useSelector(selectLocation);
  const storage = useSelector(selectFrameStorage);
  const dispatch = useDispatch();
  const page = new URL(paths.login(search), signOnUrl);
  const { title, text, asks, opens } = describe(storage, page.hostname);
  const onOpened = () => {
    if (storage.phase === 'visitNeeded') dispatch(frameStorageChanged({ phase: 'visited' }));
  };
  return (
    <Card title={_(title)} lead={<Sentence of={text} />} titleRef={useFocusAtChange(title.id)}>
      <div className={layout['row']}>
        {opens && (
          <ButtonLink to={page.href} variant="primary" target="_blank" rel="noopener" onClick={onOpened}>
            {_(words.open)}
          </ButtonLink>
        )}
        {asks !== undefined && (
          <Button
            variant={opens ? 'secondary' : 'primary'}
            busy={storage.phase === 'asking'}
            onClick={() => void dispatch(frameStorageChanged({ phase: 'asking' }))}
          >
            {_(asks)}
          </Button>
        )}
      </div>
    </Card>
  );
}

interface Step {
  readonly title: MessageDescriptor;
  readonly text: MessageDescriptor;
  /** The label of the button that asks the browser for access. */
  readonly asks?: MessageDescriptor;
  /** Whether there is a button that opens the sign-in page in a window. */
  readonly opens?: true;
}

function describe(storage: State, host: string): Step {
  if (storage.phase === 'visitNeeded') return { ...words.visit, opens: true };
  if (storage.phase === 'visited') return { ...words.back, asks: words.proceed };
  if (storage.phase !== 'refused') return { ...words.ask, asks: words.proceed };
  const text = words.refused[storage.reason];
  // There is no button to ask again, because the browser and the parent would give the same answer.
  if (typeof text !== 'function') return { title: words.refused.title, text, opens: true };
  return {
    title: words.refused.title,
    text: text(host),
    asks: words.again,
    opens: true,
  };
}

/** Moves the focus to the title when a press has changed it, so that a screen reader says the new title. */
function useFocusAtChange(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(title);
  useEffect(() => {
    if (shown.current !== title) heading.current?.focus();
    shown.current = title;
  }, [title]);
  return heading;
}
