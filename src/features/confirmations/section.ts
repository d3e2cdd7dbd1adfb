/** The module of the section 'Payments'. */
export { PaymentsSection } from './PaymentsSection.container';
export { permit } from './permit.saga';
export { untilOneConfirms } from './untilOneConfirms.saga';
