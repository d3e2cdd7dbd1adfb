import { useConfig } from '@shared/contexts';
import { setDocumentTitle } from '@shared/ports/browser/setDocumentTitle';
import { useLayoutEffect } from 'react';
import { useSelector } from 'react-redux';
import { brandFor, documentTitle } from './brand';
import { selectBrandFacts } from './brand.slice';

/** The document's title while a screen is shown: 'Screen – Product', in the look's own name. */
export function ScreenTitle({ screen }: { readonly screen: string }) {
  const { brands } = useConfig();
  const title = documentTitle(brandFor(useSelector(selectBrandFacts), brands), screen);
  useLayoutEffect(() => setDocumentTitle(title), [title]);
  return null;
}
