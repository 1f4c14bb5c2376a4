/** A setting that cannot be used: its message names the variable, the fault and the mend. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}
