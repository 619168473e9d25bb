"""Small invoices without floating-point surprises."""
