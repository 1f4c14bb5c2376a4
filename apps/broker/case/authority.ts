export const INSTALLER_PAGE = { source: 'ui', surface: 'installer' } as const
export const CUSTOMER_PAGE = { source: 'ui', surface: 'customer' } as const
export const AUDITOR_PAGE = { source: 'ui', surface: 'auditor' } as const
export const OPERATOR_PAGE = { source: 'ui', surface: 'operator' } as const
export const INSTALLER_MODEL = { source: 'model', surface: 'installer' } as const
export const CUSTOMER_MODEL = { source: 'model', surface: 'customer' } as const
export const RULE = { source: 'rule' } as const
export const SYSTEM = { source: 'system' } as const
