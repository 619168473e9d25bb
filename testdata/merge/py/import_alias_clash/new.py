import nanopy as np
