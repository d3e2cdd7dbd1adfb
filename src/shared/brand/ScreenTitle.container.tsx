import { useSelector } from 'react-redux';
import { useConfig } from '@shared/contexts';
import { brandFor, documentTitle } from './brand';
import { selectBrandFacts } from './brand.slice';

/** The document's title while a screen is shown: 'Screen – Product', in the look's own name. */
export function ScreenTitle({ screen }: { readonly screen: string }) {
  const { brands } = useConfig();
  return <title>{documentTitle(brandFor(useSelector(selectBrandFacts), brands), screen)}</title>;
}
