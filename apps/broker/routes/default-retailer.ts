/** The retailer of a case without a named one; pages call it a default. */
export const DEFAULT_RETAILER = 'Demonstration Solar'
