import type { IconNode } from 'lucide'
import {
  Banknote,
  Calendar,
  CircleCheck,
  Eye,
  Hand,
  ListOrdered,
  Scale,
  Search,
  Share2,
  Sparkles,
  TriangleAlert,
} from 'lucide'

/** The drawings beside a text's key facts, in the order of the facts. */
export const FACT_ICONS = {
  service_status: [Scale, Banknote, Hand, Sparkles],
  credit_search_consent: [Eye, ListOrdered, Search, Share2],
  pre_contract_summary: [CircleCheck, Scale, Calendar, TriangleAlert],
} as const satisfies Readonly<Record<string, readonly IconNode[]>>
