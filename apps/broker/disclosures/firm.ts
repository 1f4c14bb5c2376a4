import type { Approval } from './disclosure.ts'

/** A firm that does not exist: a real operator puts their own here. */
export const FIRM = {
  name: 'Clearpath Credit Broking (demonstration)',
  fcaNumber: '000000 (a placeholder, not a real registration)',
  complaintsEmail: 'complaints@clearpath.example',
  consentEmail: 'consent@clearpath.example',
}

export const FIRST_APPROVAL: Approval = {
  draftedBy: 'Customer writing (demonstration)',
  approvedBy: 'Compliance (demonstration)',
  approvedAt: '2023-12-18T10:00:00.000Z',
  effectiveFrom: '2024-01-01T00:00:00.000Z',
  effectiveTo: null,
  retiredAt: null,
}

/** Of the versions that begin with key facts. */
export const KEY_FACTS_APPROVAL: Approval = {
  ...FIRST_APPROVAL,
  approvedAt: '2026-11-22T10:00:00.000Z',
  effectiveFrom: '2026-11-23T00:00:00.000Z',
}
