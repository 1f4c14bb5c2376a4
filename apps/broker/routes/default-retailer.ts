/** The retailer of a case for which nobody has named one; pages call it a default. */
export const DEFAULT_RETAILER = 'Demonstration Solar'
