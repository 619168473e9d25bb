import textkit.case as text_case
