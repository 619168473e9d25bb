import os
import os.path
