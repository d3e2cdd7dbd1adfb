/** The part that every screen behind `/login` loads: without views and texts. */
export { confirmationsReducer as reducer } from './confirmations.reducer';
export { watchElements as saga } from './elements.saga';
export { elementsChanged } from './elements.slice';
export { Payments } from './Payments.container';
