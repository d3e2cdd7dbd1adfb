import { componentIn } from '@shared/chunk';
import { useSelector } from 'react-redux';
import { selectElements } from './elements.slice';
import { sectionChunk } from './sectionChunk';

const PaymentsSection = componentIn(sectionChunk, (module) => module.PaymentsSection);

/** The section 'Payments' of the account settings, if something waits. */
export function Payments() {
  const { waiting, permitted } = useSelector(selectElements);
  return waiting.length + permitted.length > 0 ? <PaymentsSection /> : null;
}
