import { useConfig } from '@shared/contexts';
import { setDocumentTitle } from '@shared/ports/browser/setDocumentTitle';
import { useLayoutEffect } from 'react';
import { useSelector } from 'react-redux';
import { brandFor, documentTitle } from './brand';
import { selectBrandFacts } from './brand.slice';

/** The document's title while a screen is shown: 'Screen – Product', or only the product. */
export function ScreenTitle({ screen }: { readonly screen?: string }) {
  const { brands } = useConfig();
  const { label } = brandFor(useSelector(selectBrandFacts), brands);
  useLayoutEffect(() => {
    setDocumentTitle(documentTitle({ label }, screen));
    return () => setDocumentTitle(label);
  }, [label, screen]);
  return null;
}
